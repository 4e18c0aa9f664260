import { expect, test } from 'vitest'
import { createRedactor, spellings, traceRedaction, unknownKey } from '../../suites/trace/redact.ts'

const redactorOf = (value: string) => createRedactor([{ value, variable: 'SECRET' }])

test('replaces a secret anywhere, in any encoding', () => {
  const secret = 'c3a1f0+/7e/b2'
  const redact = redactorOf(secret)

  expect(redact(`x${secret}x`)).toBe('x[redacted]x')
  expect(redact(encodeURIComponent(secret))).toBe('[redacted]')
  expect(redact(encodeURIComponent(secret).toLowerCase())).toBe('[redacted]')
  expect(redact(btoa(secret))).toBe('[redacted]')
  expect(redact(Buffer.from(secret).toString('hex'))).toBe('[redacted]')
})

test('replaces a secret that JSON escapes', () => {
  const secret = 'a<b>&"c\\d'

  expect(redactorOf(secret)(JSON.stringify({ secret }))).toBe('{"secret":"[redacted]"}')
  expect(redactorOf(secret)('"a\\u003cb\\u003e\\u0026\\u0022c\\\\d"')).toBe('"[redacted]"')
  expect(redactorOf(secret)('"a\\u003Cb\\u003E\\u0026\\u0022c\\\\d"')).toBe('"[redacted]"')
})

test.each(['', '{', '{"', 'a: '])('finds a secret in the base64 of a longer text (after "%s")', (before) => {
  const secret = 'c3a1f0+/7e/b2'
  const whole = btoa(`${before}${secret}", and so on`)

  expect(spellings(secret).filter((one) => whole.includes(one))).toHaveLength(1)
  expect(redactorOf(secret)(whole)).toContain('[redacted]')
})

test('replaces a short secret only as a whole word', () => {
  const redact = redactorOf('test')

  expect(redact('{"latest_cursor":"test","auth":"Bearer test"}')).toBe(
    '{"latest_cursor":"[redacted]","auth":"Bearer [redacted]"}',
  )
})

test('hides keys except those that scenarios make up', () => {
  const made = unknownKey()
  const { headers } = traceRedaction([])

  expect(headers({ 'x-api-key': 'lsv2-secret' })).toEqual({ 'x-api-key': '[redacted:TOUCHSTONE_X_API_KEY]' })
  expect(headers({ 'x-api-key': made })).toEqual({ 'x-api-key': made })
})
