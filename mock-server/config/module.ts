import { stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AuthHandlers, handlersOf } from '../deployment/auth/handlers.ts'
import { type Graph, isGraph } from '../graphs/define.ts'
import { isObject } from '../http/fields.ts'
import { ConfigurationError } from './errors.ts'

const LOADABLE = ['.ts', '.mts', '.js', '.mjs']

/**
 * Loads the value of `./path/to/module.ts:variable`, relative to `folder`.
 *
 * `what` names the reference in the configuration. `remedy` is what to do instead of using a Python module.
 * Throws ConfigurationError.
 */
export async function loadVariable(reference: string, folder: string, what: string, remedy: string): Promise<unknown> {
  const colon = reference.lastIndexOf(':')
  const variable = reference.slice(colon + 1)
  const path = resolve(folder, reference.slice(0, colon))
  const extension = extname(path)
  if (extension === '.py') {
    throw new ConfigurationError(`${what} is the Python module ${path}, which this server cannot run: ${remedy}`)
  }
  if (!LOADABLE.includes(extension)) {
    throw new ConfigurationError(`${what}: expected a module that ends in ${LOADABLE.join(', ')}, received ${path}`)
  }
  if (!(await isFile(path))) throw new ConfigurationError(`${what} names ${path}, which does not exist`)
  const module = await importModule(path, what)
  if (variable in module) return Reflect.get(module, variable)
  const names = Object.keys(module).join(', ') || 'nothing'
  throw new ConfigurationError(`${what} names the variable ${variable}, but ${path} exports ${names}`)
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  )
}

async function importModule(path: string, what: string): Promise<object> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    throw new ConfigurationError(`${what} names ${path}, which could not be loaded: ${explain(error)}`, {
      cause: error,
    })
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${String(error)}`
  switch ('code' in error ? error.code : undefined) {
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return 'it uses TypeScript syntax that Node.js cannot strip (an enum, a namespace or a parameter property); replace it, or compile the module to JavaScript'
    case 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING':
      return 'Node.js does not run TypeScript inside node_modules; compile the module to JavaScript'
    case 'ERR_MODULE_NOT_FOUND':
      return `${firstLine(error)}; install the missing package`
    default:
      return `${error.name}: ${firstLine(error)}`
  }
}

function firstLine(error: Error): string {
  return error.message.split('\n', 1)[0] ?? ''
}

/** The remedy for a graph of another framework. */
const GRAPH_REMEDY = 'write the graph with defineGraph, or start its own server and test it by its URL'

/** Loads the graph of an entry of `graphs`. Throws ConfigurationError for one that this server cannot run. */
export async function loadGraph(name: string, reference: string, folder: string): Promise<Graph> {
  const what = `Graph ${JSON.stringify(name)}`
  const value = await loadVariable(reference, folder, what, GRAPH_REMEDY)
  if (isGraph(value)) return value
  if (isForeignGraph(value)) {
    throw new ConfigurationError(
      `${what} (${reference}) is a LangGraph graph, which this server cannot run: ${GRAPH_REMEDY}`,
    )
  }
  throw new ConfigurationError(
    `${what} (${reference}): expected a graph created with defineGraph, received ${kindOf(value)}`,
  )
}

/** Whether a value looks like a graph of the public framework, compiled or not. */
function isForeignGraph(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const has = (method: string): boolean => typeof Reflect.get(value, method) === 'function'
  return (has('invoke') && has('stream')) || (has('compile') && has('addNode'))
}

/** Describes the type of a value. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The remedy for handlers in Python. */
const AUTH_REMEDY =
  'write the handlers in TypeScript or JavaScript with the Auth class of the public SDK, or start their own server and test it by its URL'

/** Loads the handlers of `auth`: an `Auth` of the public SDK, or an object with `authenticate` and `callbacks`. */
export async function loadAuth(
  auth: { readonly path: string; readonly disable_studio_auth?: boolean | undefined },
  folder: string,
): Promise<AuthHandlers> {
  const what = `"auth" (${auth.path})`
  const value = await loadVariable(auth.path, folder, '"auth"', AUTH_REMEDY)
  const handlers: unknown = isObject(value) ? handlersOf(value) : value
  if (!isHandlers(handlers)) {
    throw new ConfigurationError(
      `${what}: expected an Auth of the public SDK, or an object with authenticate(request) and callbacks, received ${kindOf(value)} without handlers`,
    )
  }
  const { authenticate, callbacks } = handlers
  if (authenticate === undefined) {
    throw new ConfigurationError(`${what} has no authentication handler; add one with auth.authenticate(…)`)
  }
  return { ...(callbacks && { callbacks }), authenticate, disable_studio_auth: auth.disable_studio_auth ?? false }
}

function isHandlers(value: unknown): value is AuthHandlers {
  if (!isObject(value)) return false
  const { authenticate, callbacks } = value as AuthHandlers
  const isEmpty = authenticate === undefined && callbacks === undefined
  return !isEmpty && isOptionalFunction(authenticate) && Object.values(callbacks ?? {}).every(isOptionalFunction)
}

function isOptionalFunction(value: unknown): boolean {
  return value === undefined || typeof value === 'function'
}
