import { must, type Requirement, section } from '../requirement.ts'

export const assistantRows: readonly Requirement[] = section('deployment', 'Endpoints / A. Deployment API', [
  must('assistant.create.answers-assistant', 'POST /assistants answers with an assistant.'),
  must('assistant.search.answers-array', 'POST /assistants/search answers with an array of assistants.'),
  must('assistant.get.answers-assistant', 'GET /assistants/{assistant_id} answers with an assistant.'),
])
