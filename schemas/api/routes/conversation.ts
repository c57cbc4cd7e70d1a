import {
  botDropoffQuery,
  conversationDetailSchema,
  conversationExportQuery,
  conversationPageSchema,
  conversationPathSchema,
  conversationQuery,
  conversationReadersSchema,
  conversationReplaySchema,
  conversationTranscriptSchema,
  dropoffQuery,
  dropoffSchema,
  forgetBody,
  forgottenSchema,
  transcriptQuery,
} from '../conversation.ts'
import {
  keptTestBody,
  readTestsBody,
  readTestsSchema,
  runTestsBody,
  testMomentsQuery,
  testMomentsSchema,
  testRunSchema,
} from '../conversation-test.ts'
import { exportAnswer, fileBody } from '../file.ts'
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
import { draftLinkSchema, simulationTestFile } from '../simulation.ts'

/** Messages and steps of conversations (RUNTIME 91, 92). */
export const conversationRoutes = defineRoutes({
  'GET /conversation': { query: conversationQuery, status: 200, answer: conversationPageSchema },
  'GET /conversation/export': {
    produces: 'text/csv',
    query: conversationExportQuery,
    status: 200,
    answer: exportAnswer,
    file: true,
  },
  'GET /conversation/{id}': { status: 200, answer: conversationDetailSchema },
  'GET /conversation/{id}/transcript': { query: transcriptQuery, status: 200, answer: conversationTranscriptSchema },
  'GET /conversation/{id}/path': { status: 200, answer: conversationPathSchema },
  'GET /conversation/{id}/replay': { status: 200, answer: conversationReplaySchema },
  'GET /conversation/{id}/readers': { status: 200, answer: conversationReadersSchema },
  'POST /conversation/{id}/forget': { body: forgetBody, status: 200, answer: forgottenSchema },
  'POST /conversation/{id}/test': { body: keptTestBody, status: 200, answer: simulationTestFile },
  'GET /bot/{id}/tests': { tag: 'conversationtest', query: testMomentsQuery, status: 200, answer: testMomentsSchema },
  'POST /bot/{id}/tests': { tag: 'conversationtest', body: runTestsBody, status: 200, answer: testRunSchema },
  'POST /bot/{id}/readtests': { tag: 'conversationtest', body: readTestsBody, status: 200, answer: readTestsSchema },
  'GET /bot/{id}/dropoff': { tag: 'conversation', query: botDropoffQuery, status: 200, answer: dropoffSchema },
  'GET /dialog/{id}/draftlink': { status: 200, answer: draftLinkSchema },
  'GET /dialog/{id}/dropoff': { tag: 'conversation', query: dropoffQuery, status: 200, answer: dropoffSchema },
})

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
