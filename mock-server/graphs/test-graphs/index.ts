import type { Graph } from '../define.ts'
import { chat } from './chat.ts'
import { echo } from './echo.ts'
import { fail } from './fail.ts'
import { slow } from './slow.ts'
import { tools } from './tools.ts'
import { whoami } from './whoami.ts'

/** Small graphs with known behavior, described in docs/reference/test-graphs.md. */
export const testGraphs: Readonly<Record<string, Graph>> = { echo, slow, tools, fail, whoami, chat }
