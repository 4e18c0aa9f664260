import { must, type Requirement, section } from '../requirement.ts'

export const stateRows: readonly Requirement[] = section('deployment', 'Endpoints / A. Deployment API', [
  must('state.get.answers-state', 'GET /threads/{thread_id}/state answers with a thread state.'),
])
