import { takePage } from '../../http/page.ts'
import { parse } from '../../http/request.ts'
import { find, visible } from '../access.ts'
import type { ExportCall, ExportContext, ExportRoute } from '../context.ts'
import { createDestination, rotateCredentials } from '../destinations/register.ts'
import { presentDestination } from '../present.ts'
import { destinationCreate, destinationUpdate } from '../schemas/destination.ts'
import { listQuery } from '../schemas/export.ts'
import { readSecretBody } from '../schemas/secret-body.ts'
import type { Destination } from '../types.ts'

/** Destinations. Sections of the document: Export destination, Endpoints. */
export function destinationRoutes(context: ExportContext): ExportRoute[] {
  const { store, limits } = context
  const named = (call: ExportCall): Destination =>
    find(context, call, store.destinations, call.param('destination_id'), 'destination')
  return [
    {
      method: 'POST',
      path: '/destinations',
      answer: async (call) => {
        const request = await readSecretBody(call.request, destinationCreate, limits)
        return presentDestination(await createDestination(context, call.caller, request))
      },
    },
    {
      method: 'GET',
      path: '/destinations',
      answer: (call) => {
        const page = parse(listQuery, call.query())
        return takePage(visible(context, call, store.destinations), page).map(presentDestination)
      },
    },
    {
      method: 'GET',
      path: '/destinations/:destination_id',
      answer: (call) => presentDestination(named(call)),
    },
    {
      method: 'PATCH',
      path: '/destinations/:destination_id',
      answer: async (call) => {
        const destination = named(call)
        const { credentials } = await readSecretBody(call.request, destinationUpdate, limits)
        return presentDestination(await rotateCredentials(context, destination, credentials))
      },
    },
  ]
}
