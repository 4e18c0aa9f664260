import { must, type Requirement, section } from '../requirement.ts'

export const runRows: readonly Requirement[] = section('deployment', 'Endpoints / A. Deployment API', [
  must('run.create.answers-run', 'POST /threads/{thread_id}/runs answers with a run.'),
  must('run.get.answers-run', 'GET /threads/{thread_id}/runs/{run_id} answers with a run.'),
  must('run.list.answers-array', 'GET /threads/{thread_id}/runs answers with an array of runs.'),
  must('run.join.answers', 'GET /threads/{thread_id}/runs/{run_id}/join is answered.'),
])
