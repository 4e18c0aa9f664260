import { createRoot } from 'react-dom/client'
import { Chat } from './chat.tsx'

// The page is opened as `/?api=URL`, and as `/?api=URL&thread=ID` in further tabs.
const parameters = new URLSearchParams(location.search)

function showThread(threadId: string): void {
  parameters.set('thread', threadId)
  history.replaceState(null, '', `?${parameters}`)
}

createRoot(document.body.appendChild(document.createElement('div'))).render(
  <Chat
    apiUrl={parameters.get('api') ?? ''}
    threadId={parameters.get('thread') ?? undefined}
    onThreadId={showThread}
  />,
)
