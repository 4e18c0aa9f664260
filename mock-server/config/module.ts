import { stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigurationError } from './errors.ts'

const LOADABLE = ['.ts', '.mts', '.js', '.mjs']

/**
 * Loads the value of `./path/to/module.ts:variable`, relative to `folder`.
 *
 * `what` names the reference in the configuration. `instead` is the remedy for a Python module.
 * Throws ConfigurationError.
 */
export async function loadVariable(reference: string, folder: string, what: string, instead: string): Promise<unknown> {
  const colon = reference.lastIndexOf(':')
  const variable = reference.slice(colon + 1)
  const path = resolve(folder, reference.slice(0, colon))
  const extension = extname(path)
  if (extension === '.py') {
    throw new ConfigurationError(`${what} is the Python module ${path}, which this server cannot run: ${instead}`)
  }
  if (!LOADABLE.includes(extension)) {
    throw new ConfigurationError(`${what} is ${path}; expected a module that ends in ${LOADABLE.join(', ')}`)
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
      return 'it uses TypeScript that is more than types (an enum, a namespace or a parameter property), which Node does not run; replace that, or compile the module to JavaScript'
    case 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING':
      return 'Node runs no TypeScript inside node_modules; compile the module to JavaScript'
    case 'ERR_MODULE_NOT_FOUND':
      return `${firstLine(error)}; install what it imports`
    default:
      return `${error.name}: ${firstLine(error)}`
  }
}

function firstLine(error: Error): string {
  return error.message.split('\n', 1)[0] ?? ''
}
