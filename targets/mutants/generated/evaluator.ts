import { applies } from '../../../suites/catalog/catalog.ts'
import { areaOf } from '../../../suites/catalog/requirement.ts'
import { evaluate, type Finding } from '../../../suites/evaluate/evaluate.ts'
import type { Rule } from '../../../suites/rules/rule.ts'
import { deploymentModel } from '../../../suites/model/deployment.ts'
import type { EndpointModel } from '../../../suites/model/endpoint.ts'
import type { EndpointLog } from '../../../suites/model/exchange.ts'
import { exportModel } from '../../../suites/model/export.ts'
import { deploymentRules } from '../../../suites/rules/deployment/index.ts'
import { exportRules } from '../../../suites/rules/export/index.ts'
import { parquetFile } from './calls.ts'
import { createReadRecorder, withContainers } from './reads.ts'

/** Returns the requirements that fail in a changed log. `changed` are the parts that differ from the log without changes. */
export type Evaluator = (log: EndpointLog, changed: ReadonlySet<string>) => Promise<readonly Finding[]>

/** Creates the evaluator of a log and its changed versions. It applies only rules that read something that changed. */
export function createEvaluator(log: EndpointLog): Evaluator {
  return areaOf(log.endpoint.profile) === 'deployment'
    ? evaluatorWith(log, deploymentModel, deploymentRules)
    : evaluatorWith(log, exportModel, exportRules)
}

function evaluatorWith<Model extends EndpointModel>(
  log: EndpointLog,
  createModel: (log: EndpointLog) => Model,
  rules: readonly Rule<Model>[],
): Evaluator {
  const recorder = createReadRecorder(log)
  const built = recorder.record(() => createModel(recorder.log))
  const model = recorder.watch(built.result)
  const ofModel = withContainers(built.parts)
  const reads = rules.map((rule) => ({
    rule,
    parts: withContainers(recorder.record(() => [...rule.cases(model)]).parts),
  }))
  return async (changedLog, changed) => {
    const isRead = (parts: ReadonlySet<string>) => [...changed].some((part) => parts.has(part))
    // Which rules read files is not recorded.
    const isAnyAffected = changed.has(parquetFile) || isRead(ofModel)
    const affected = isAnyAffected ? rules : reads.filter(({ parts }) => isRead(parts)).map(({ rule }) => rule)
    const findings = await evaluate(createModel(changedLog), affected)
    const { profile } = log.endpoint
    return findings.filter(({ verdict, requirement }) => verdict === 'fail' && applies(requirement, profile))
  }
}
