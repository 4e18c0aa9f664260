import type { DialectName } from '../dialect.ts'
import type { DialectWithPolicies } from '../policies.ts'
import { agentServerDialect } from './agent-server/index.ts'
import { documentDialect } from './document.ts'
import { jsDevDialect } from './js-dev/index.ts'

/** Every dialect by its name. */
export const dialects: Readonly<Record<DialectName, DialectWithPolicies>> = {
  document: documentDialect,
  'agent-server': agentServerDialect,
  'js-dev': jsDevDialect,
}
