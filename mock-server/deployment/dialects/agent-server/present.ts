import type { Policies } from '../../policies.ts'
import { presentRun } from '../../present/run.ts'
import { presentState } from '../../present/state.ts'
import { presentThread } from '../../present/thread.ts'
import { fromRun } from '../state-metadata.ts'

/** Serializes a thread, with the time of its newest checkpoint and the end of its last run. */
export const presentThreadOfAgentServer: Policies['presentThread'] = (thread, dialect) => {
  const last = [...thread.runs.newestFirst()].find(({ outcome }) => outcome !== undefined)
  return {
    ...(last !== undefined && { error: last.outcome?.error ?? null, interrupts: {} }),
    ...presentThread(thread, dialect),
    state_updated_at: dialect.timestamp(thread.checkpoints.at(-1)?.created_at ?? thread.created_at),
  }
}

export const presentRunOfAgentServer: Policies['presentRun'] = (run, dialect) => ({
  ...presentRun(run, dialect),
  langsmith_session_name: null,
})

/** Serializes a state. Its metadata includes the software. */
export const presentStateOfAgentServer: Policies['presentState'] = (thread, checkpoint, dialect) => {
  const state = presentState(thread, checkpoint, dialect)
  if (checkpoint === undefined) return { ...state, metadata: null }
  const repeated = fromRun(
    thread,
    checkpoint,
    (key) => key === 'langgraph_auth_user_id' || key === 'langgraph_request_id',
  )
  return { ...state, metadata: { ...repeated, ...software, ...checkpoint.metadata } }
}

const software = {
  run_attempt: 1,
  parents: {},
  langgraph_version: '1.2.22',
  langgraph_api_version: '0.16.7',
  langgraph_plan: 'enterprise',
  langgraph_host: 'self-hosted',
  langgraph_api_url: 'http://127.0.0.1:2024',
}
