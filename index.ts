export type { Report } from './mock-server/client/report.ts'
export type { Fault, FaultTarget } from './mock-server/control/faults/fault.ts'
export type { FaultCount, Faults } from './mock-server/control/faults/faults.ts'
export type { ExportDetail, ExportRunDetail } from './mock-server/control/inspect/exports.ts'
export type { AssistantDetail, Inspection, ThreadPage } from './mock-server/control/inspect/inspection.ts'
export type { RunDetail, ThreadDetail, ThreadSummary } from './mock-server/control/inspect/threads.ts'
export type { CallSummary, ChangeOptions, JournalChanges } from './mock-server/control/journal/changes.ts'
export type { Exchange, SentEvent } from './mock-server/control/journal/exchange.ts'
export type { CallFilter } from './mock-server/control/journal/filter.ts'
export type { Journal } from './mock-server/control/journal/journal.ts'
export type { WaitOptions } from './mock-server/control/journal/pending-waits.ts'
export type { JournalLimits } from './mock-server/control/journal/ring-buffer.ts'
export type { RecordedSession } from './mock-server/control/journal/scenario.ts'
export type { ReplayOptions } from './mock-server/control/replay/replay.ts'
export type { ExpectedCall, VerifyOptions } from './mock-server/control/verify/expected-call.ts'
export type {
  AuthContext,
  AuthFilter,
  AuthHandlers,
  AuthUser,
  SdkAuth,
} from './mock-server/deployment/auth/handlers.ts'
export type { DialectName } from './mock-server/deployment/dialect.ts'
export type { ExportedFile } from './mock-server/export/bucket/memory.ts'
export type { TraceRecord } from './mock-server/export/traces/record.ts'
export type { Graph, GraphDefinition } from './mock-server/graphs/define.ts'
export type {
  GraphState,
  Message,
  MessageChunk,
  MessageInput,
  Node,
  NodeContext,
  ToolCallChunk,
} from './mock-server/graphs/types.ts'
export {
  createMockServer,
  defaultPolicies,
  defineGraph,
  type ExportOptions,
  type ExportPolicies,
  type MockServer,
  type MockServerOptions,
  type Policies,
  type WebhookOptions,
} from './mock-server/index.ts'
export type { Clock } from './mock-server/runtime/clock.ts'
export { manualClock, systemClock } from './mock-server/runtime/clock.ts'
export { type Random, seededRandom } from './mock-server/runtime/random.ts'
export type { ExportScript, ScriptedExport } from './mock-server/scripting/exports.ts'
export type { GraphScript, ScenarioGraph } from './mock-server/scripting/graph-script.ts'
export type { TextPattern } from './mock-server/scripting/pattern.ts'
export type {
  RecordedExchange,
  RecordedRequest,
  RecordedResponse,
  Recording,
} from './mock-server/scripting/recording.ts'
export type { Reply, ReplyPart, Turn } from './mock-server/scripting/reply.ts'
export type {
  RuleCondition,
  ScenarioRule,
  ScenarioRules,
  ToolResultCondition,
} from './mock-server/scripting/rules.ts'
export type { Scenario, ScenarioExports } from './mock-server/scripting/scenario.ts'
export type { Script } from './mock-server/scripting/script.ts'
export type { ScriptCount, Scripts } from './mock-server/scripting/scripts.ts'
export {
  callTool,
  callTools,
  emit,
  fail,
  interrupt,
  pause,
  type Step,
  say,
  setState,
  stream,
  subgraph,
} from './mock-server/scripting/steps.ts'
export { defineTarget, type Manifest } from './suites/harness/manifest.ts'
