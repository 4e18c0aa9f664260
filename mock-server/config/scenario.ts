import { basename, dirname, extname, resolve } from 'node:path'
import { checkScenario, type Scenario } from '../scripting/scenario.ts'
import { ConfigurationError } from './errors.ts'
import { readJsonFile } from './json-file.ts'
import { loadVariable } from './module.ts'

const EXPECTED = 'a JSON file, or a module that exports "scenario"'

/**
 * Loads a scenario: a JSON file, or the variable `scenario` of a module, whose replies may be functions.
 *
 * Throws ConfigurationError.
 */
export async function loadScenario(file: string): Promise<Scenario> {
  const path = resolve(file)
  const value =
    extname(path) === '.json'
      ? await readJsonFile(path, 'The scenario', EXPECTED)
      : await loadVariable(`${basename(path)}:scenario`, dirname(path), 'The scenario', `expected ${EXPECTED}`)
  try {
    return checkScenario(value)
  } catch (error) {
    throw new ConfigurationError(
      `The scenario ${path} cannot be used. ${error instanceof Error ? error.message : error}`,
    )
  }
}
