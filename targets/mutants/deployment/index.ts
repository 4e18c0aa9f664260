import type { Mutant } from '../mutant.ts'
import { assistantCreateMutants } from './assistant-create.ts'
import { assistantReadMutants } from './assistant-read.ts'
import { assistantRunMutants } from './assistant-run.ts'
import { authActiveRunMutants } from './auth-active-runs.ts'
import { authNoneMutants } from './auth-none.ts'
import { authRefusalMutants } from './auth-refusal.ts'
import { authScopeMutants } from './auth-scope.ts'
import { authUserMutants } from './auth-user.ts'
import { contentTypeMutants } from './content-type.ts'
import { keptMutants } from './kept.ts'
import { kwargsMutants } from './kwargs.ts'
import { laterRunMutants } from './later-runs.ts'
import { messageMutants } from './message.ts'
import { enqueueMutants } from './multitask-enqueue.ts'
import { interruptMutants } from './multitask-interrupt.ts'
import { orderMutants } from './multitask-orders.ts'
import { rejectMutants } from './multitask-reject.ts'
import { refusedInterruptMutants } from './refused-interrupts.ts'
import { runCreateMutants } from './run-create.ts'
import { runJoinMutants } from './run-join.ts'
import { runReadMutants } from './run-read.ts'
import { runStatusMutants } from './run-status.ts'
import { serviceMutants } from './service.ts'
import { stateMutants } from './state.ts'
import { streamFramingMutants } from './stream-framing.ts'
import { streamMetadataMutants } from './stream-metadata.ts'
import { streamMixedMutants } from './stream-mixed.ts'
import { streamRequestMutants } from './stream-request.ts'
import { streamUpdatesMutants } from './stream-updates.ts'
import { streamUpdatesOrderMutants } from './stream-updates-order.ts'
import { threadMutants } from './thread.ts'

/** All mutants of the deployment API that are written by hand. */
export const deploymentMutants: readonly Mutant[] = [
  ...serviceMutants,
  ...interruptMutants,
  ...enqueueMutants,
  ...rejectMutants,
  ...refusedInterruptMutants,
  ...laterRunMutants,
  ...orderMutants,
  ...threadMutants,
  ...contentTypeMutants,
  ...runCreateMutants,
  ...runReadMutants,
  ...runJoinMutants,
  ...runStatusMutants,
  ...keptMutants,
  ...kwargsMutants,
  ...assistantCreateMutants,
  ...assistantRunMutants,
  ...assistantReadMutants,
  ...stateMutants,
  ...messageMutants,
  ...streamRequestMutants,
  ...streamFramingMutants,
  ...streamMixedMutants,
  ...streamMetadataMutants,
  ...streamUpdatesMutants,
  ...streamUpdatesOrderMutants,
  ...authNoneMutants,
  ...authRefusalMutants,
  ...authScopeMutants,
  ...authUserMutants,
  ...authActiveRunMutants,
]
