import type { Operation } from '../../../suites/model/operations.ts'
import { always, conditions, idOf } from './conditions.ts'
import type { Mutation, Reply } from './mutation.ts'

/** A change of a whole response. */
interface Change {
  readonly name: string
  readonly change: (reply: Reply) => Reply
  /** Whether there is a mutation for each condition, too. */
  readonly isConditional?: true
}

const isOk = ({ status }: Reply) => status >= 200 && status < 300

/** Changes responses that pass a test. */
function changeIf(test: (reply: Reply) => boolean, change: (reply: Reply) => Partial<Reply>) {
  return (reply: Reply): Reply => (test(reply) ? { ...reply, ...change(reply) } : reply)
}

function status(name: string, from: (reply: Reply) => boolean, to: number): Change {
  return { name: `status ${name} ${to}`, change: changeIf(from, () => ({ status: to })) }
}

function header(name: string, change: (value: string) => string | undefined) {
  return changeIf(
    ({ headers }) => headers[name] !== undefined,
    ({ headers: { [name]: value = '', ...rest } }) => {
      const changed = change(value)
      return { headers: changed === undefined ? rest : { ...rest, [name]: changed } }
    },
  )
}

function body(name: string, change: (text: string) => string): Change {
  return { name: `body ${name}`, change: changeIf((reply) => isOk(reply), ({ text }) => ({ text: change(text) })) }
}

const changes: readonly Change[] = [
  { ...status('2xx', isOk, 500), isConditional: true },
  ...[201, 202, 302, 401, 404, 409].map((to) => status('2xx', isOk, to)),
  { name: 'status 2xx 204', change: changeIf(isOk, () => ({ status: 204, text: '' })) },
  ...[200, 403, 500].map((to) => status('401', (reply) => reply.status === 401, to)),
  ...[200, 401, 500].map((to) => status('4xx', ({ status: from }) => from >= 400 && from < 500 && from !== 401, to)),
  { name: 'content-type absent', change: header('content-type', () => undefined) },
  { name: 'content-type text/plain', change: header('content-type', () => 'text/plain'), isConditional: true },
  { name: 'content-type of another form', change: header('content-type', (value) => `${value};profile="x"`) },
  body('empty', () => ''),
  body('null', () => 'null'),
  body('cut off', (text) => text.slice(0, -1)),
  body('in an object', (text) => `{"data":${text || 'null'}}`),
  body('in an array', (text) => `[${text}]`),
  body('twice', (text) => text + text),
  body('as text', (text) => JSON.stringify(text)),
  body('with spaces', (text) => ` ${text}\n`),
]

/** Creates the mutations of whole responses of an operation. */
export function replyMutations(operation: Operation): readonly Mutation[] {
  return [
    ...changes.flatMap(({ name, change, isConditional }) =>
      [always, ...(isConditional ? conditions : [])].map(
        (condition): Mutation => ({
          id: idOf(operation, name, condition.name),
          operation,
          start: () => ({
            when: condition.when,
            reply: (reply, _call, isActive) => (isActive ? change(reply) : reply),
          }),
        }),
      ),
    ),
    ...[always, ...conditions].map(
      ({ name, when }): Mutation => ({
        id: idOf(operation, 'delay', name),
        operation,
        start: () => ({ when, delayMs: 1000 }),
      }),
    ),
  ]
}
