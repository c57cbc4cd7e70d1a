import { fileBody } from '../file.ts'
import { runningBotsSchema } from '../home.ts'
import {
  checkStoryBody,
  compareBody,
  comparisonSchema,
  evaluationQuery,
  evaluationSchema,
  nluDownloadQuery,
  nluFileAnswer,
  nluUploadQuery,
  nluUploadSchema,
  parseBody,
  storyFaultsSchema,
  trainingSchema,
  understandingSchema,
  unrecognizedSchema,
} from '../nlu.ts'
import { defineRoutes } from '../route.ts'

/** Understanding of texts, training (NLU.md 5.10, 5.14), and training data as files. */
export const nluRoutes = defineRoutes({
  'POST /nluproject/{id}/parse': { body: parseBody, status: 200, answer: understandingSchema },
  'GET /nluproject/{id}/training': { status: 200, answer: trainingSchema },
  'GET /nluproject/{id}/evaluation': { query: evaluationQuery, status: 200, answer: evaluationSchema },
  'POST /nluproject/{id}/compare': { body: compareBody, status: 200, answer: comparisonSchema },
  'GET /nluproject/{id}/unrecognized': { status: 200, answer: unrecognizedSchema },
  'POST /nluproject/{id}/checkstory': { body: checkStoryBody, status: 200, answer: storyFaultsSchema },
  'GET /nluproject/{id}/download': { query: nluDownloadQuery, status: 200, answer: nluFileAnswer, file: true },
  'POST /nluproject/{id}/upload': {
    consumes: 'multipart/form-data',
    query: nluUploadQuery,
    body: fileBody,
    status: 200,
    answer: nluUploadSchema,
  },
  'GET /nluproject/{id}/running': { status: 200, answer: runningBotsSchema },
  'GET /nlusettings/{id}/running': { status: 200, answer: runningBotsSchema },
  'GET /brain/{id}/running': { status: 200, answer: runningBotsSchema },
  'GET /agentchannel/{id}/running': { status: 200, answer: runningBotsSchema },
  'POST /brain/{id}/parse': { body: parseBody, status: 200, answer: understandingSchema },
  'GET /brain/{id}/training': { status: 200, answer: trainingSchema },
  'GET /brain/{id}/evaluation': { query: evaluationQuery, status: 200, answer: evaluationSchema },
  'POST /brain/{id}/compare': { body: compareBody, status: 200, answer: comparisonSchema },
})
