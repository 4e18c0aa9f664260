import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** This package's module of public functions: beside the sources in a checkout, in `dist` once installed. */
const ownModule = new URL(import.meta.url.endsWith('.ts') ? '../../index.ts' : '../../index.js', import.meta.url).href

/** A line that only a module has. */
const moduleSyntax = /^(?:import\s*[\w{*'"]|export\s*[\w{*])/m

/** Imports a module that a user wrote: a configuration, a driver. */
export async function importUserModule(file: string): Promise<Record<string, unknown>> {
  const hooks = admitUserModules()
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    hooks.deregister()
  }
}

/**
 * Lets modules of users be imported wherever they lie.
 *
 * `touchstone` is this very package where their project does not have it: run by npx, by the GitHub Action or from a
 * checkout. A file with `import` and `export` is a module whatever type its package has: `npm init` writes
 * `"type": "commonjs"`, and a `touchstone.config.ts` beside that should load.
 */
export function admitUserModules(): { deregister(): void } {
  return registerHooks({
    resolve(specifier, context, next) {
      try {
        const found = next(specifier, context)
        if (!isScript(found.url) || found.format?.startsWith('module') || !hasModuleSyntax(found.url)) return found
        return { ...found, format: found.url.endsWith('.ts') ? 'module-typescript' : 'module' }
      } catch (error) {
        if (specifier !== 'touchstone') throw error
        return { url: ownModule, shortCircuit: true }
      }
    },
  })
}

function isScript(url: string): boolean {
  return url.startsWith('file:') && /\.[jt]s$/.test(url) && !url.includes('/node_modules/')
}

function hasModuleSyntax(url: string): boolean {
  try {
    return moduleSyntax.test(readFileSync(fileURLToPath(url), 'utf8'))
  } catch {
    // Loading it tells why it cannot be read.
    return false
  }
}
