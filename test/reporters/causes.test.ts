import { expect, test } from 'vitest'
import { renderConsole } from '../../reporters/console.ts'
import { exchange, outcome, reportOf, requirement } from './example-report.ts'

test('groups the requirements that one refused request, one empty object or wrong credentials fail', () => {
  const failing = (id: string, message: string, received: string) =>
    requirement(id, 'fail', {
      outcomes: [
        outcome('fail', {
          failure: { message, expected: 'something', received },
          evidence: {
            exchanges: [exchange({ url: 'http://127.0.0.1:8123/threads/0d1b7e3e-52ab-4f0f-9d55-1f4b6f1c1a11/state' })],
          },
        }),
      ],
    })
  const missing = (field: string) =>
    failing(
      `a.${field}`,
      `expected that \`${field}\` of the metadata of a state is present`,
      `no \`${field}\` among no fields`,
    )
  const rendered = renderConsole(
    reportOf([
      failing('b.one', 'expected a list', '403 {}'),
      missing('step'),
      failing('b.two', 'expected an object', '403 {}'),
      missing('source'),
      failing('b.three', 'expected an object', 'null'),
      failing('c.list', 'expected the response to GET /a with wrong credentials to be 401', '200 []'),
      failing('c.create', 'expected the response to POST /b with wrong credentials to be 401', '200 {"id":1}'),
      failing(
        'e.state',
        'expected the response to GET /c as the user of the development UI to be a 2xx response with a state',
        '404 {"detail":"no state"}',
      ),
      failing(
        'e.runs',
        'expected the response to GET /d as the user of the development UI to be a 2xx response with a list of runs',
        '404 {"detail":"no thread"}',
      ),
      failing('d.late', 'expected a run', '404 "", 3 ms after POST /threads (200)'),
      failing('d.later', 'expected an answer', '404 "", 4 ms after POST /threads (200)'),
    ]),
  )
  expect(rendered.match(/^✗ .*|^ +same cause.*/gm)).toEqual([
    '✗ b.one  expected a list, received 403 {}',
    '    same cause: b.two',
    '✗ a.step  expected that `step` of the metadata of a state is present, received no `step` among no',
    '    same cause: a.source',
    '✗ c.list  expected the response to GET /a with wrong credentials to be 401, received 200 []',
    '    same cause: c.create',
    '✗ e.state  expected the response to GET /c as the user of the development UI to be a 2xx response',
    '    same cause: e.runs',
    '✗ d.late  expected a run, received 404 "", 3 ms after POST /threads (200)',
    '    same cause: d.later',
    '✗ b.three  expected an object, received null',
  ])
})

test('names ids in a cause by the response that has them', () => {
  const id = '0d1b7e3e-52ab-4f0f-9d55-1f4b6f1c1a11'
  const other = '5c0c8f6e-13a0-4a9b-8a52-0b7a8a0a2b22'
  const failure = { message: `expected a new id, received ${id} again, then ${other}` }
  const evidence = { exchanges: [exchange({ responseBody: `{"thread_id":"${id}"}` })] }
  const report = reportOf([requirement('a.b', 'fail', { outcomes: [outcome('fail', { failure, evidence })] })])
  expect(renderConsole(report)).toContain('✗ a.b  expected a new id, received {thread_id} again, then {id}\n')
})

test('tells different ids with the same name apart in a cause', () => {
  const [first, second] = ['0d1b7e3e-52ab-4f0f-9d55-1f4b6f1c1a11', '5c0c8f6e-13a0-4a9b-8a52-0b7a8a0a2b22']
  const failure = { message: `expected the runs to be ["${first}"], received ["${second}"]` }
  const evidence = { exchanges: [exchange({ responseBody: `[{"run_id":"${first}"},{"run_id":"${second}"}]` })] }
  const report = reportOf([requirement('a.b', 'fail', { outcomes: [outcome('fail', { failure, evidence })] })])
  expect(renderConsole(report)).toContain('to be ["{run_id …6f1c1a11}"], received ["{run_id …8a0a2b22}"]\n')
})
