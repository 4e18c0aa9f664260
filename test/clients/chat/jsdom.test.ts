// @vitest-environment jsdom
import { describe, test } from 'vitest'
import { dialects } from '../../../mock-server/deployment/dialects/index.ts'
import { openInJsdom } from './jsdom.ts'
import { scenarios } from './scenarios.ts'

describe.each(Object.values(dialects))('the chat page in jsdom with the dialect $name', ({ name }) => {
  test.each(Object.entries(scenarios))('%s', (_title, use) => use({ dialect: name, open: openInJsdom }))
})
