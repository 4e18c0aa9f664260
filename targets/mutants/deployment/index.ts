import type { Mutant } from '../mutant.ts'
import { assistantMutants } from './assistant.ts'
import { authNoneMutants } from './auth-none.ts'
import { authRefusalMutants } from './auth-refusal.ts'
import { authScopeMutants } from './auth-scope.ts'
import { authUserMutants } from './auth-user.ts'
import { contentTypeMutants } from './content-type.ts'
import { kwargsMutants } from './kwargs.ts'

import { messageMutants } from './message.ts'

import { enqueueMutants } from './multitask-enqueue.ts'
import { interruptMutants } from './multitask-interrupt.ts'
import { orderMutants } from './multitask-orders.ts'
import { rejectMutants } from './multitask-reject.ts'
import { runCreateMutants } from './run-create.ts'
import { runJoinMutants } from './run-join.ts'
import { runReadMutants } from './run-read.ts'
import { runStatusMutants } from './run-status.ts'
import { serviceMutants } from './service.ts'
import { stateMutants } from './state.ts'
import { streamMutants } from './stream.ts'
import { threadMutants } from './thread.ts'
import { threadListMutants } from './thread-list.ts'

/** All mutants of the deployment API that are written by hand. */
export const deploymentMutants: readonly Mutant[] = [
  ...serviceMutants,
  ...interruptMutants,
  ...enqueueMutants,
  ...rejectMutants,
  ...orderMutants,
  ...threadMutants,
  ...threadListMutants,
  ...contentTypeMutants,
  ...runCreateMutants,
  ...runReadMutants,
  ...runJoinMutants,
  ...runStatusMutants,
  ...kwargsMutants,
  ...assistantMutants,
  ...stateMutants,
  ...messageMutants,
  ...streamMutants,
  ...authNoneMutants,
  ...authRefusalMutants,
  ...authScopeMutants,
  ...authUserMutants,
]
