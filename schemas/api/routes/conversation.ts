import {
  botDropoffQuery,
  conversationDetailSchema,
  conversationPageSchema,
  conversationQuery,
  conversationReplaySchema,
  conversationTranscriptSchema,
  dropoffQuery,
  dropoffSchema,
  forgetBody,
  forgottenSchema,
  transcriptQuery,
} from '../conversation.ts'
import { defineRoutes } from '../route.ts'

/** What was said and done in conversations (RUNTIME 91, 92). */
export const conversationRoutes = defineRoutes({
  'GET /conversation': { query: conversationQuery, status: 200, answer: conversationPageSchema },
  'GET /conversation/{id}': { status: 200, answer: conversationDetailSchema },
  'GET /conversation/{id}/transcript': { query: transcriptQuery, status: 200, answer: conversationTranscriptSchema },
  'GET /conversation/{id}/replay': { status: 200, answer: conversationReplaySchema },
  'POST /conversation/{id}/forget': { body: forgetBody, status: 200, answer: forgottenSchema },
  'GET /bot/{id}/dropoff': { query: botDropoffQuery, status: 200, answer: dropoffSchema },
  'GET /dialog/{id}/dropoff': { query: dropoffQuery, status: 200, answer: dropoffSchema },
})
