import { stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
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
