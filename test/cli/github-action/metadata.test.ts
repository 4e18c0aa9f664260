import { readFile } from 'node:fs/promises'
import { validateAction, validateWorkflow } from '@action-validator/core'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
const text = await read('action.yml')
const action: { inputs: Record<string, unknown>; outputs: Record<string, unknown>; runs: unknown } = parse(text)
const docs = await read('docs/guides/continuous-integration.md')
const workflow = /```yaml\n([\s\S]*?)```/.exec(docs)?.[1] ?? ''

test('action.yml is valid action metadata', () => {
  expect(validateAction(text)).toEqual({ actionType: 'action', errors: [] })
})

test('the steps use every input, and the outputs are known', () => {
  const used = [...JSON.stringify(action.runs).matchAll(/inputs\.([a-z-]+)/g)].map(([, name]) => name)

  expect([...new Set(used)].toSorted()).toEqual(Object.keys(action.inputs).toSorted())
  expect(Object.keys(action.outputs)).toEqual(['verdict', 'sentence', 'exit-code', 'failed', 'report', 'artifact-url'])
})

test('the page about continuous integration lists exactly the inputs and outputs', () => {
  const [inputs = '', outputs = '', gates = ''] = docs.split(/^\| (?:Input|Output|`fail-on`) \|.*\n\| ---/m).slice(1)
  const rows = (table: string) => [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name)

  expect(rows(inputs)).toEqual(Object.keys(action.inputs))
  expect(rows(outputs)).toEqual(Object.keys(action.outputs))
  expect(rows(gates)).toEqual(['incomplete', 'failure', 'never'])
})

test('the example is a valid workflow with known inputs and outputs', () => {
  expect(validateWorkflow(workflow)).toEqual({ actionType: 'workflow', errors: [] })
  const example: { jobs: { conformance: { steps: { uses?: string; with?: object }[] } } } = parse(workflow)
  const step = example.jobs.conformance.steps.find(({ uses }) => uses?.includes('/touchstone@'))
  const inputs = Object.keys(step?.with ?? {})
  const read = [...workflow.matchAll(/steps\.touchstone\.outputs\.([a-z-]+)/g)].map(([, name = '']) => name)

  expect(inputs.length).toBeGreaterThan(0)
  expect(inputs.filter((name) => !Object.hasOwn(action.inputs, name))).toEqual([])
  expect(read.filter((name) => !Object.hasOwn(action.outputs, name))).toEqual([])
})
