/** An open chat page, as its user sees and uses it. */
export interface Tab {
  /** Returns the texts of the elements that a CSS selector finds. */
  texts(selector: string): Promise<string[]>
  /** Types a text into the field with this label and submits its form. */
  type(label: string, text: string): Promise<void>
  /** Clicks the last button with this text. */
  click(button: string): Promise<void>
  /** The thread of the conversation, once there is one. */
  threadId(): string | undefined
}

/** Opens the page for an API, and for a thread that exists. */
export type OpenTab = (apiUrl: string, threadId?: string) => Promise<Tab>
