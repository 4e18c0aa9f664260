import type { Policies } from '../../../mock-server/deployment/policies.ts'
import type { Thread } from '../../../mock-server/deployment/records.ts'
import type { Message } from '../../../mock-server/graphs/types.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { createRun, getRun, getState, jsonBody, listRuns, pathIds } from '../../wrappers/requests.ts'
import { changeAt, changeResponse, respondInstead } from '../../wrappers/routes.ts'
import {
  type ActiveRun,
  allMessages,
  type Creation,
  changeShownMessages,
  changeShownStatus,
  changeStrategy,
  dropOutputs,
  failRuns,
  isSlow,
  pickRuns,
  replaceSuccess,
  showWaiting,
  silenceRuns,
} from '../multitask.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

/** Milliseconds within which second runs of threads count as concurrent. */
const concurrentMs = 300

/** Whether a run is queued behind a run of `slow`. */
function isBehindSlowRun({ strategy, inFlight }: Creation): boolean {
  return strategy === 'enqueue' && inFlight.some(({ run }) => isSlow(run))
}

/** Milliseconds for which a creation waits for concurrent ones. */
const waitMs = 250

function textOf(input: unknown): string {
  const { messages } = input as { messages: { content: string }[] }
  return messages[0]?.content ?? ''
}

/** Calls back with the input text of each run that is created concurrently with three others on its thread. */
function onFourthConcurrent(callback: (runId: string, text: string) => void): Wrap {
  const groups = new Map<string, { size: number; readonly full: PromiseWithResolvers<void> }>()
  return respondInstead(createRun, async (request, fetch) => {
    const { threadId } = pathIds(request)
    const { input, multitask_strategy } = await jsonBody(request)
    if (multitask_strategy !== 'enqueue') return fetch(request)
    const group = groups.get(threadId) ?? { size: 0, full: Promise.withResolvers<void>() }
    groups.set(threadId, group)
    group.size += 1
    const position = group.size
    if (position === 4) group.full.resolve()
    await Promise.race([group.full.promise, new Promise((resolve) => setTimeout(resolve, waitMs))])
    group.size -= 1
    if (group.size === 0) groups.delete(threadId)
    const response = await fetch(request)
    const { run_id } = (await response.clone().json()) as { run_id?: string }
    if (position >= 4 && run_id !== undefined) callback(run_id, textOf(input))
    return response
  })
}

/** Whether a run is created after the queue of its thread has become empty. */
function isAfterQueue({ strategy, named, inFlight, before }: Creation): boolean {
  return strategy === 'enqueue' && named !== undefined && inFlight.length === 0 && before.length >= 2
}

function hasSlowRun({ runs }: Thread): boolean {
  return [...runs.values()].some(isSlow)
}

function isQueue({ runs }: Thread): boolean {
  return [...runs.values()].every((run) => run.multitask_strategy === 'enqueue')
}

/** Starts a second run next to one that does not sleep when three are queued. */
const chooseSecond: Policies['chooseNext'] = (queued, executing) => {
  const { thread } = (queued[0] ?? {}) as Partial<ActiveRun>
  const slowRunActive = [...(thread?.runs.values() ?? [])].some((run) => run.status === 'running' && isSlow(run))
  return executing === 0 || (executing === 1 && queued.length >= 3 && !slowRunActive) ? queued[0] : undefined
}

function hasText(text: string, { content }: Message): boolean {
  return content === text || (typeof content === 'string' && content.endsWith(`: ${text}`))
}

export const enqueueMutants: readonly Mutant[] = mutantsOf({
  'multitask.enqueue.refused': {
    defect: 'enqueue on a busy thread behaves like reject',
    requirements: ['multitask.enqueue.accepted'],
    policies: ({ multitask }) => ({ multitask: { ...multitask, enqueue: multitask.reject } }),
  },
  'multitask.enqueue.shown-as-queued': {
    defect: 'a run that waits for another is read with the status queued',
    requirements: ['multitask.enqueue.pending-while-queued'],
    wrap: showWaiting(getRun, 'queued'),
  },
  'multitask.enqueue.listed-as-queued': {
    defect: 'a run that waits for another is listed with the status queued',
    requirements: ['multitask.enqueue.pending-while-queued'],
    wrap: showWaiting(listRuns, 'queued'),
  },
  'multitask.enqueue.listed-as-ended': {
    defect: 'a run that waits for another is listed with the status success',
    requirements: ['multitask.enqueue.not-final-while-queued'],
    alsoFails: { 'run.get.current-status': 'a read after the list shows a run that has not ended' },
    wrap: showWaiting(listRuns, 'success'),
  },
  'multitask.enqueue.answered-as-queued': {
    defect: 'the creation of a queued run returns the status queued',
    requirements: ['multitask.enqueue.pending'],
    alsoFails: { 'run.create.status-pending': 'so it is on a thread that is idle again' },
    wrap: (fetch) => {
      const used = new Set<string>()
      return changeResponse(createRun, (body, request) => {
        const { threadId } = pathIds(request)
        const { multitask_strategy } = body as { multitask_strategy: string }
        if (used.has(threadId) && multitask_strategy === 'enqueue') changeAt(body, ['status'], () => 'queued')
        used.add(threadId)
        return body
      })(fetch)
    },
  },
  'multitask.enqueue.answered-at-the-start': {
    defect: 'the creation of a queued run responds only when the run starts',
    requirements: ['multitask.enqueue.answered-at-once'],
    wrap: respondInstead(createRun, async (request, inner) => {
      const { url, headers } = request
      const { multitask_strategy } = await jsonBody(request)
      const list = await inner(new Request(url, { headers }))
      const earlier = list.ok ? ((await list.json()) as { readonly run_id: string }[]) : []
      const response = await inner(request)
      if (!response.ok || multitask_strategy !== 'enqueue') return response
      for (const { run_id } of earlier) await inner(new Request(`${url}/${run_id}/join`, { headers }))
      return response
    }),
  },
  'multitask.enqueue.earlier-as-interrupted': {
    defect: 'a run with others queued behind it ends with status interrupted',
    requirements: ['multitask.enqueue.earlier-succeeds'],
    alsoFails: { 'multitask.enqueue.executes': 'so does a queued run with another behind it' },
    policies: (policies) => {
      const earlier = new Set<string>()
      return {
        ...changeStrategy(policies, 'enqueue', ({ jobs }) => {
          for (const { run } of jobs) if (isSlow(run)) earlier.add(run.run_id)
        }),
        ...changeShownStatus(policies, replaceSuccess('interrupted', earlier)),
      }
    },
  },
  'multitask.enqueue.behaves-like-interrupt': {
    defect: 'enqueue interrupts the earlier run',
    requirements: ['multitask.enqueue.earlier-succeeds'],
    policies: ({ multitask }) => ({ multitask: { ...multitask, enqueue: multitask.interrupt } }),
    alsoFails: {
      'multitask.enqueue.executes': 'each queued run interrupts the previous one',
      'stream.updates.each-node': 'a queued run interrupts a stream, too',
    },
  },
  'multitask.enqueue.starts-from-old-state': {
    defect: 'a queued run starts from the state at its creation, so that later outputs of the earlier run are lost',
    requirements: ['multitask.enqueue.earlier-outputs'],
    policies: (policies) => {
      const earlier = new Set<string>()
      return {
        ...changeStrategy(policies, 'enqueue', ({ jobs }) => {
          for (const { run } of jobs) if (isSlow(run)) earlier.add(run.run_id)
        }),
        ...dropOutputs(policies, (runId) => earlier.has(runId), 'after'),
      }
    },
  },
  'multitask.enqueue.ends-as-error': {
    defect: 'a queued run ends with status error',
    requirements: ['multitask.enqueue.executes'],
    policies: (policies) => failRuns(policies, isBehindSlowRun),
  },
  'multitask.enqueue.queue-of-three': {
    defect: 'runs after the third in a queue end with status success without executing',
    requirements: ['multitask.enqueue.all-messages'],
    policies: (policies) => silenceRuns(policies, (each) => isBehindSlowRun(each) && each.inFlight.length > 3),
  },
  'multitask.enqueue.last-input': {
    defect: 'the state lacks all input messages of a queued run except the last',
    requirements: ['multitask.enqueue.all-messages'],
    alsoFails: { 'multitask.governed-by-strategy': 'so it is behind a streamed run' },
    policies: (policies) =>
      changeShownMessages(policies, (messages, thread) =>
        hasSlowRun(thread)
          ? messages.filter(({ type }, index) => type !== 'human' || messages[index + 1]?.type !== 'human')
          : messages,
      ),
  },
  'multitask.enqueue.equal-once': {
    defect: 'the messages of a queued run with the same input as an earlier one are not stored',
    requirements: ['multitask.enqueue.all-messages'],
    policies: (policies) =>
      changeShownMessages(policies, (messages, thread) =>
        hasSlowRun(thread)
          ? messages.filter(({ content }, index) => messages.findIndex((each) => each.content === content) === index)
          : messages,
      ),
  },
  'multitask.enqueue.outputs-twice': {
    defect: 'the outputs of a queued run are stored twice',
    requirements: ['multitask.enqueue.all-messages'],
    alsoFails: { 'multitask.reject.later-outputs-follow': 'a later run may be the third one of its thread' },
    policies: (policies) =>
      changeShownMessages(policies, (messages, thread) => {
        if (!hasSlowRun(thread) || thread.runs.size < 3) return messages
        return messages.flatMap((each) => (each.type === 'ai' ? [each, { ...each, id: `${each.id}-again` }] : [each]))
      }),
  },
  'multitask.enqueue.overtakes-the-sleeper': {
    defect: 'a queued run does not wait for a run of `slow`',
    requirements: ['multitask.enqueue.after-earlier'],
    policies: (policies) => ({
      chooseNext: (queued, executing) => {
        const next = queued[0]
        const { run, thread } = (next ?? {}) as Partial<ActiveRun>
        const active = [...(thread?.runs.values() ?? [])].filter(({ status }) => status === 'running')
        const overtakes = run?.multitask_strategy === 'enqueue' && active.length === 1 && active.every(isSlow)
        return executing === 0 || overtakes ? next : undefined
      },
      ...changeShownMessages(policies, (_messages, thread) => allMessages(thread)),
    }),
    alsoFails: {
      'run.join.queued': 'its join returns before it can have finished',
      'multitask.enqueue.not-final-while-queued': 'the run has ended before the earlier one',
      'state.metadata.run_id.same': 'the queued run writes the state while the earlier one sleeps',
    },
  },
  'multitask.enqueue.newest-first': {
    defect: 'queued runs start in reverse order',
    requirements: ['multitask.enqueue.order-received'],
    alsoFails: { 'multitask.enqueue.after-earlier': 'a run behind two others starts before the first of them' },
    policies: () => ({ chooseNext: (queued, executing) => (executing === 0 ? queued.at(-1) : undefined) }),
  },
  'multitask.enqueue.second-overtakes': {
    defect: 'the second of two queued runs starts first',
    requirements: ['multitask.enqueue.order-received'],
    alsoFails: { 'multitask.enqueue.after-earlier': 'a run behind two others starts before the first of them' },
    policies: () => ({ chooseNext: (queued, executing) => (executing === 0 ? (queued[1] ?? queued[0]) : undefined) }),
  },
  'multitask.enqueue.tenth-overtakes': {
    defect: 'the tenth of many queued runs starts first, as if their numbers were sorted as text',
    requirements: ['multitask.enqueue.used-thread.order'],
    policies: () => ({ chooseNext: (queued, executing) => (executing === 0 ? (queued[9] ?? queued[0]) : undefined) }),
  },
  'multitask.enqueue.messages-swapped': {
    defect: 'the state shows the messages of the first two queued runs in reverse order',
    requirements: ['multitask.enqueue.order-received'],
    alsoFails: { 'multitask.enqueue.messages-in-run-order': 'runs with several messages are cut' },
    policies: (policies) =>
      changeShownMessages(policies, (messages, thread) => {
        const inputs = messages.flatMap(({ type }, index) => (type === 'human' ? [index] : []))
        if (!hasSlowRun(thread) || !isQueue(thread) || inputs.length < 4) return messages
        const [, first, second, third] = inputs
        const swapped = [...messages.slice(second, third), ...messages.slice(first, second)]
        return [...messages.slice(0, first), ...swapped, ...messages.slice(third)]
      }),
  },
  'multitask.enqueue.second-worker': {
    defect: 'two runs of a thread execute concurrently when three are queued',
    requirements: ['multitask.enqueue.one-at-a-time'],
    policies: (policies) => ({
      chooseNext: chooseSecond,
      ...changeShownMessages(policies, (_messages, thread) => allMessages(thread)),
    }),
  },
  'multitask.enqueue.second-worker-overwrites': {
    defect: "when three runs are queued, two execute concurrently and overwrite each other's outputs",
    requirements: ['multitask.enqueue.all-messages'],
    policies: () => ({ chooseNext: chooseSecond }),
  },
  'multitask.enqueue.input-after-answers': {
    defect: 'the input of a queued run comes after its outputs',
    requirements: ['multitask.enqueue.messages-in-run-order'],
    policies: (policies) => {
      const { picked, watched } = pickRuns(policies, isBehindSlowRun)
      const changed = changeShownMessages(policies, (messages, thread) => {
        if (![...thread.runs.values()].some(({ run_id }) => picked.has(run_id))) return messages
        const queuedInputs = messages.filter(({ type }) => type === 'human').slice(1)
        const moved = queuedInputs.flatMap((input) => {
          const outputs = messages.filter((each) => each !== input && hasText(String(input.content), each))
          return [...outputs, input]
        })
        return [...messages.filter((each) => !moved.includes(each)), ...moved]
      })
      return { ...watched, ...changed }
    },
  },
  'multitask.enqueue.crowd-fails': {
    defect: 'the last of four concurrently created runs ends with status error',
    requirements: ['multitask.enqueue.at-the-same-time.each-executes'],
    wrap: (fetch) => {
      const last = new Set<string>()
      const failed = changeResponse(getRun, (run, request) => {
        if (last.has(pathIds(request).runId))
          changeAt(run, ['status'], (status) => (status === 'success' ? 'error' : status))
        return run
      })
      return onFourthConcurrent((runId) => last.add(runId))(failed(fetch))
    },
  },
  'multitask.enqueue.crowd-overwrites': {
    defect: 'the last of four concurrently created runs adds nothing to the state',
    requirements: ['multitask.enqueue.at-the-same-time.all-messages'],
    wrap: (fetch) => {
      const lostTexts: string[] = []
      const overwritten = changeResponse(getState, (state) =>
        changeAt(state, ['values', 'messages'], (messages) =>
          Array.isArray(messages)
            ? messages.filter((each) => !lostTexts.some((text) => hasText(text, each as Message)))
            : messages,
        ),
      )
      return onFourthConcurrent((_runId, text) => lostTexts.push(text))(overwritten(fetch))
    },
  },
  'multitask.enqueue.second-round-fails': {
    defect: 'the next run on a thread whose queue has become empty ends with status error',
    requirements: ['multitask.enqueue.used-thread.executes'],
    alsoFails: { 'multitask.enqueue.at-the-same-time.each-executes': 'a queue may become empty between two requests' },
    policies: (policies) => failRuns(policies, isAfterQueue),
  },
  'multitask.enqueue.second-round-in-front': {
    defect: 'after a queue has become empty, messages of later runs come before those of earlier ones',
    requirements: ['multitask.enqueue.used-thread.order'],
    alsoFails: { 'message.order.of-runs': 'the messages of runs are in another order' },
    policies: (policies) => {
      const { picked, watched } = pickRuns(policies, isAfterQueue)
      return {
        ...watched,
        ...changeShownMessages(policies, (messages, thread) => {
          const firstLater = thread.checkpoints.findIndex(({ metadata }) => picked.has(metadata.run_id ?? ''))
          if (firstLater === -1) return messages
          const before = new Set(thread.checkpoints[firstLater - 1]?.values.messages.toArray().map(({ id }) => id))
          return [...messages.filter(({ id }) => !before.has(id)), ...messages.filter(({ id }) => before.has(id))]
        }),
      }
    },
  },
  'multitask.enqueue.many-threads-lose': {
    defect: 'when five threads have queues, the second run of a sixth thread adds nothing to the state',
    requirements: ['multitask.enqueue.many-threads.all-messages'],
    nondeterministic: 'the sixth thread may be one of another scenario',
    alsoFails: {
      'state.get.latest': 'the state shows nothing of the second run',
      'run.status.results-in-state': 'the state shows nothing of the second run',
    },
    policies: (policies) => {
      const open = new Map<string, number>()
      const { picked, watched } = pickRuns(policies, ({ threadId, named, inFlight, before }) => {
        if (named !== 'enqueue' || before.length !== 1 || inFlight.some(({ run }) => isSlow(run))) return false
        for (const [id, since] of open) if (Date.now() - since > concurrentMs) open.delete(id)
        open.set(threadId, Date.now())
        return open.size > 5
      })
      return {
        ...watched,
        ...changeShownMessages(policies, (messages, { runs }) => {
          const second = [...runs.values()][1]
          if (runs.size !== 2 || second === undefined || !picked.has(second.run_id)) return messages
          const text = textOf(second.kwargs.input)
          return messages.filter((message) => !hasText(text, message))
        }),
      }
    },
  },
  'multitask.enqueue.many-threads-leak': {
    defect: 'the state of a thread with two runs contains a message of the thread that was read before',
    requirements: ['multitask.enqueue.many-threads.apart'],
    nondeterministic: 'states of other scenarios may show it, too',
    alsoFails: { 'state.get.that-thread': 'the message belongs to another thread' },
    policies: (policies) => {
      let newest: { readonly thread: Thread; readonly message: Message | undefined } | undefined
      return changeShownMessages(policies, (messages, thread) => {
        const queued = [...thread.runs.values()].filter((run) => run.multitask_strategy === 'enqueue')
        if (queued.length !== 2 || thread.runs.size !== 2) return messages
        const foreign = newest?.thread === thread ? undefined : newest?.message
        newest = { thread, message: messages.at(-1) }
        return foreign === undefined ? messages : [foreign, ...messages]
      })
    },
  },
})
