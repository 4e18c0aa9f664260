import { type AnyStream, useStream } from '@langchain/react'
import { type FormEvent, type ReactElement, useState } from 'react'

/** The value of an interrupt of the agent. */
interface Question {
  readonly question: string
  readonly answers: readonly string[]
}

interface ChatProps {
  readonly apiUrl: string
  /** The conversation; undefined until the first message is sent. */
  readonly threadId: string | undefined
  readonly onThreadId: (threadId: string) => void
}

type Message = AnyStream['messages'][number]

interface ToolCall {
  readonly id: string
  readonly name: string
  readonly args: unknown
}

/** A conversation with the agent `support`. */
export function Chat({ apiUrl, threadId, onThreadId }: ChatProps): ReactElement {
  const [isConnected, setConnected] = useState(true)
  const stream = useStream<Record<string, unknown>, Question>({
    assistantId: 'support',
    apiUrl,
    threadId: threadId ?? null,
    onThreadId,
    reconnectDelayMs: () => 300,
    onReconnect: () => setConnected(false),
    onConnected: ({ kind }) => {
      // The hook has several connections. A first one does not replace one that was lost.
      if (kind === 'reconnected') setConnected(true)
    },
  })
  const { error, interrupt, isLoading, messages } = stream

  return (
    <main>
      <h1>Support</h1>
      <ol>
        {messages.map((message, index) => (
          <li key={message.id ?? index} className={message.type}>
            <MessageView stream={stream} message={message} />
          </li>
        ))}
      </ol>
      {interrupt?.value !== undefined && (
        <section aria-label="Question">
          <p>{interrupt.value.question}</p>
          {interrupt.value.answers.map((answer) => (
            <button key={answer} type="button" onClick={() => void stream.respond(answer)}>
              {answer}
            </button>
          ))}
        </section>
      )}
      {error !== undefined && <p role="alert">{String(error)}</p>}
      {!isConnected && <p role="status">Connection lost. Connecting again…</p>}
      <TextForm label="Message" action="Send" onText={(text) => void stream.submit(humanMessage(text))} />
      {isLoading && (
        <button type="button" onClick={() => void stream.stop()}>
          Stop
        </button>
      )}
    </main>
  )
}

/** A message with its tool calls. The results of tools are shown with their calls. */
function MessageView({ stream, message }: { stream: AnyStream; message: Message }): ReactElement | null {
  if (message.type === 'human') return <HumanMessage stream={stream} message={message} />
  if (message.type === 'tool') return null
  const calls = 'tool_calls' in message ? (message.tool_calls as ToolCall[]) : []
  return (
    <>
      {message.text !== '' && <p>{message.text}</p>}
      {calls.map((call) => (
        <p key={call.id} className="call">
          {call.name}({JSON.stringify(call.args)}): {resultOf(stream, call)}
        </p>
      ))}
    </>
  )
}

/** Returns the result of a tool call, or its status. */
function resultOf({ messages, toolCalls }: AnyStream, { id }: ToolCall): string {
  const call = toolCalls.find((candidate) => candidate.id === id)
  if (call?.output != null) return typeof call.output === 'string' ? call.output : JSON.stringify(call.output)
  // After the page was loaded again, and for tools without events, only the message of the tool has the result.
  const message = messages.find((candidate) => 'tool_call_id' in candidate && candidate.tool_call_id === id)
  return message?.text ?? call?.status ?? 'requested'
}

/** A message of the user, who can edit it: the conversation then continues from the state before this message. */
function HumanMessage({ stream, message }: { stream: AnyStream; message: Message }): ReactElement {
  const [isEdited, setEdited] = useState(false)
  if (isEdited) {
    const save = async (text: string) => {
      setEdited(false)
      await stream.submit(humanMessage(text), { forkFrom: await checkpointBefore(stream, message) })
    }
    return <TextForm label="Edit" action="Save" text={message.text} onText={(text) => void save(text)} />
  }
  return (
    <>
      <p>{message.text}</p>
      <button type="button" onClick={() => setEdited(true)}>
        Edit
      </button>
    </>
  )
}

/**
 * Returns the checkpoint before a message.
 *
 * `useMessageMetadata` has only the checkpoint before the newest step, and nothing if the server sends no checkpoints.
 */
async function checkpointBefore({ client, threadId }: AnyStream, { id }: Message): Promise<string> {
  const states = await client.threads.getHistory<{ messages?: { id?: string }[] }>(threadId ?? '', { limit: 1000 })
  const first = states.findLast(({ values }) => values.messages?.some((message) => message.id === id))
  return first?.parent_checkpoint?.checkpoint_id ?? ''
}

interface TextFormProps {
  readonly label: string
  readonly action: string
  readonly text?: string
  readonly onText: (text: string) => void
}

function TextForm({ label, action, text = '', onText }: TextFormProps): ReactElement {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onText(String(new FormData(event.currentTarget).get('text')))
    event.currentTarget.reset()
  }
  return (
    <form onSubmit={send}>
      <input name="text" aria-label={label} defaultValue={text} required />
      <button type="submit">{action}</button>
    </form>
  )
}

function humanMessage(content: string) {
  return { messages: [{ type: 'human' as const, content }] }
}
