import { takePage } from '../../http/page.ts'
import { parse } from '../../http/request.ts'
import { find, visible } from '../access.ts'
import type { ExportRoute } from '../api.ts'
import type { ExportCall, ExportContext } from '../context.ts'
import { createDestination, rotateCredentials } from '../destinations/register.ts'
import { exportEndpoints } from '../endpoints.ts'
import { presentDestination } from '../present.ts'
import { destinationCreate, destinationUpdate } from '../schemas/destination.ts'
import { listQuery } from '../schemas/export.ts'
import { readSecretBody } from '../schemas/secret-body.ts'
import type { Destination } from '../types.ts'

/** Destinations. Sections of the specification: Export destination, Endpoints. */
export const destinationRoutes: readonly ExportRoute[] = [
  {
    ...exportEndpoints.createDestination,
    handle: async ({ context }, call) => {
      const request = await readSecretBody(call.request, destinationCreate, context.limits)
      return Response.json(presentDestination(await createDestination(context, call.caller, request)))
    },
  },
  {
    ...exportEndpoints.listDestinations,
    handle: ({ context }, call) => {
      const page = parse(listQuery, call.query())
      const destinations = takePage(visible(context, call, context.store.destinations), page)
      return Response.json(destinations.map(presentDestination))
    },
  },
  {
    ...exportEndpoints.readDestination,
    handle: ({ context }, call) => Response.json(presentDestination(destinationOf(context, call))),
  },
  {
    ...exportEndpoints.updateDestination,
    handle: async ({ context }, call) => {
      const destination = destinationOf(context, call)
      const { credentials } = await readSecretBody(call.request, destinationUpdate, context.limits)
      return Response.json(presentDestination(await rotateCredentials(context, destination, credentials)))
    },
  },
]

function destinationOf(context: ExportContext, call: ExportCall): Destination {
  return find(context, call, context.store.destinations, call.param('destination_id'), 'destination')
}
