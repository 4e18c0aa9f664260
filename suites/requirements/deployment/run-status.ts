import { must, type Requirement, section } from '../requirement.ts'

export const runStatusRows: readonly Requirement[] = section('deployment', 'States and transitions / Run status', [
  must('run.status.ends', 'A run whose graph completes reaches a final status.'),
])
