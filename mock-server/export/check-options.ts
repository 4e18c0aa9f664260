import { isUuid } from '../http/request.ts'
import { isVersion } from './features.ts'
import { PLANS } from './keys.ts'
import type { ExportOptions } from './options.ts'

const KEY = /^(?:[0-9a-f]{64}|[A-Za-z0-9+/]{43}=?)$/i

const NAMES: Readonly<Record<keyof ExportOptions, true>> = {
  ...{
    keys: true,
    selfHosted: true,
    appVersion: true,
    chartVersion: true,
    encryptionKey: true,
    privateAddresses: true,
  },
  ...{ maxConcurrentExports: true, maxConcurrentRuns: true, bucket: true, state: true, traceProject: true },
}

/** Throws a TypeError for invalid options. Messages do not repeat secrets. */
export function checkExportOptions(options: ExportOptions): void {
  for (const name of Object.keys(options)) {
    expect(
      Object.hasOwn(NAMES, name),
      `Unknown option export.${name}: expected one of ${Object.keys(NAMES).join(', ')}`,
    )
  }
  const { keys = [], appVersion, chartVersion, encryptionKey, traceProject, bucket = 's3' } = options
  const { privateAddresses = 'allow' } = options
  expect(
    bucket === 's3' || bucket === 'memory',
    `export.bucket: expected "s3" or "memory", received ${JSON.stringify(bucket)}`,
  )
  expect(
    privateAddresses === 'allow' || privateAddresses === 'refuse',
    `export.privateAddresses: expected "allow" or "refuse", received ${JSON.stringify(privateAddresses)}`,
  )
  for (const { key, tenants, plan } of keys) {
    expect(typeof key === 'string' && key !== '', 'export.keys: expected a non-empty string as key')
    expect(
      PLANS.includes(plan),
      `export.keys: expected one of ${PLANS.join(', ')} as plan, received ${JSON.stringify(plan)}`,
    )
    expect(Array.isArray(tenants), 'export.keys: expected an array of UUIDs as tenants')
    for (const tenant of tenants)
      expect(isUuid(tenant), `export.keys: expected UUIDs as tenants, received ${JSON.stringify(tenant)}`)
  }
  for (const [name, version] of Object.entries({ appVersion, chartVersion })) {
    const message = `export.${name}: expected a version such as 0.12.42, received ${JSON.stringify(version)}`
    expect(version === undefined || isVersion(version), message)
  }
  expect(
    encryptionKey === undefined || KEY.test(encryptionKey),
    'export.encryptionKey: expected 32 bytes as 64 hexadecimal digits or in base64 (openssl rand -hex 32)',
  )
  for (const name of ['maxConcurrentExports', 'maxConcurrentRuns'] as const) {
    const value = options[name] ?? 1
    expect(
      Number.isInteger(value) && value > 0,
      `export.${name}: expected a whole number from 1, received ${JSON.stringify(value)}`,
    )
  }
  if (traceProject !== undefined) {
    for (const id of [traceProject.tenantId, traceProject.sessionId]) {
      expect(isUuid(id), `export.traceProject: expected two UUIDs, received ${JSON.stringify(id)}`)
    }
  }
}

function expect(condition: boolean, message: string): void {
  if (!condition) throw new TypeError(message)
}
