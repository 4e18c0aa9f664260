import type { DialectName } from '../dialect.ts'
import type { DialectWithPolicies } from '../policies.ts'
import { agentServerDialect } from './agent-server/index.ts'
import { jsDevDialect } from './js-dev/index.ts'
import { specDialect } from './spec.ts'

/** Every dialect by its name. */
export const dialects: Readonly<Record<DialectName, DialectWithPolicies>> = {
  spec: specDialect,
  'agent-server': agentServerDialect,
  'js-dev': jsDevDialect,
}
