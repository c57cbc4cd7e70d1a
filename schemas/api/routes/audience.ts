import {
  contactBody,
  contactChangeBody,
  contactForgetBody,
  contactForgottenSchema,
  contactFoundSchema,
  contactMadeSchema,
  contactOneQuery,
  contactPageSchema,
  contactQuery,
  contactSchema,
  contactSearchBody,
} from '../audience.ts'
import { defineRoutes } from '../route.ts'
import { nothingSchema } from '../write.ts'

/** Contacts of campaigns and what brings them. */
export const audienceRoutes = defineRoutes({
  'GET /contact': { query: contactQuery, status: 200, answer: contactPageSchema },
  'POST /contact': { body: contactBody, status: 201, answer: contactMadeSchema },
  'POST /contact/search': { body: contactSearchBody, status: 200, answer: contactFoundSchema },
  'GET /contact/{id}': { query: contactOneQuery, status: 200, answer: contactSchema },
  'PATCH /contact/{id}': { body: contactChangeBody, status: 200, answer: contactMadeSchema },
  'DELETE /contact/{id}': { query: contactOneQuery, status: 204, answer: nothingSchema },
  'POST /contact/{id}/forget': { body: contactForgetBody, status: 200, answer: contactForgottenSchema },
})
