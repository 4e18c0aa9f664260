import { must, type Requirement, section } from '../requirement.ts'

export const streamRows: readonly Requirement[] = section('deployment', 'Endpoints / A. Deployment API', [
  must('stream.create.answers-stream', 'POST /threads/{thread_id}/runs/stream answers with an event stream.'),
])
