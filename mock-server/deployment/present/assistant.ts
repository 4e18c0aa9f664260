import type { Assistant } from '../records.ts'
import type { Presenter } from './presenter.ts'

/** Serializes an assistant. Section of the specification: Assistant. */
export const presentAssistant: Presenter<Assistant> = (assistant, { timestamp }) => ({
  assistant_id: assistant.assistant_id,
  graph_id: assistant.graph_id,
  created_at: timestamp(assistant.created_at),
  updated_at: timestamp(assistant.updated_at),
  config: assistant.config,
  metadata: assistant.metadata,
  context: assistant.context,
  version: assistant.version,
  name: assistant.name,
  description: assistant.description,
})
