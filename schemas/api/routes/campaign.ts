import {
  contactBody,
  contactChangeBody,
  contactForgetBody,
  contactForgottenSchema,
  contactFoundSchema,
  contactImportQuery,
  contactMadeSchema,
  contactOneQuery,
  contactPageSchema,
  contactPreviewQuery,
  contactPreviewSchema,
  contactQuery,
  contactSchema,
  contactSearchBody,
  suppressionBody,
  suppressionExportQuery,
  suppressionFoundSchema,
  suppressionImportBody,
  suppressionImportedSchema,
  suppressionLiftBody,
  suppressionLiftedSchema,
  suppressionMadeSchema,
  suppressionPageSchema,
  suppressionQuery,
  suppressionSearchBody,
  uploadAnswer,
  uploadQuery,
} from '../audience.ts'
import {
  campaignRecipientExportQuery,
  campaignRecipientPage,
  campaignRecipientQuery,
  campaignReviewQuery,
  campaignReviewSchema,
  campaignRunPage,
  campaignRunQuery,
  campaignStatisticsQuery,
  campaignStatisticsSchema,
} from '../campaign.ts'
import { exportAnswer, fileBody } from '../file.ts'
import { defineRoutes } from '../route.ts'
import {
  campaignCopyBody,
  campaignCopySchema,
  clockQuery,
  createdNumberSchema,
  personaContactsBody,
  personaContactsSchema,
  phoneActBody,
  phoneSchema,
  simulatedNumberBody,
  simulatedNumberPage,
  simulatedStateSchema,
} from '../simulated-number.ts'
import { nothingSchema } from '../write.ts'

/** Sent campaign messages and their outcome. Start, pause and similar are actions of the entity. */
export const campaignRoutes = defineRoutes({
  'GET /campaignrun': { tag: 'campaign', query: campaignRunQuery, status: 200, answer: campaignRunPage },
  'GET /campaign/{id}/statistics': { query: campaignStatisticsQuery, status: 200, answer: campaignStatisticsSchema },
  'GET /campaign/{id}/review': { query: campaignReviewQuery, status: 200, answer: campaignReviewSchema },
  'GET /campaign/{id}/recipients': { query: campaignRecipientQuery, status: 200, answer: campaignRecipientPage },
  'GET /campaign/{id}/recipients/export': {
    produces: 'text/csv',
    query: campaignRecipientExportQuery,
    status: 200,
    answer: exportAnswer,
    file: true,
  },
})

const PERSONA = { tag: 'simulatednumber', status: 200, answer: phoneSchema } as const

/** Numbers of WhatsApp that the gateway simulates, and the phones of their personas. */
export const simulatedNumberRoutes = defineRoutes({
  'GET /simulatednumber': { status: 200, answer: simulatedNumberPage },
  'POST /simulatednumber': { body: simulatedNumberBody, status: 201, answer: createdNumberSchema },
  'GET /simulatednumber/{id}': { status: 200, answer: simulatedStateSchema },
  'POST /simulatednumber/{id}/clock': { query: clockQuery, status: 200, answer: simulatedStateSchema },
  'POST /simulatednumber/{id}/tier': { status: 200, answer: simulatedStateSchema },
  'GET /simulatednumber/{id}/persona/{persona}': PERSONA,
  'POST /simulatednumber/{id}/persona/{persona}': { ...PERSONA, body: phoneActBody },
  'POST /simulatednumber/{id}/contacts': {
    body: personaContactsBody,
    status: 200,
    answer: personaContactsSchema,
  },
  'POST /simulatednumber/{id}/copy': { body: campaignCopyBody, status: 201, answer: campaignCopySchema },
})

/** Contacts of campaigns and what brings them. */
export const audienceRoutes = defineRoutes({
  'GET /contact': { query: contactQuery, status: 200, answer: contactPageSchema },
  'POST /contact': { body: contactBody, status: 201, answer: contactMadeSchema },
  'POST /contact/search': { body: contactSearchBody, status: 200, answer: contactFoundSchema },
  'GET /contact/{id}': { query: contactOneQuery, status: 200, answer: contactSchema },
  'PATCH /contact/{id}': { body: contactChangeBody, status: 200, answer: contactMadeSchema },
  'DELETE /contact/{id}': { query: contactOneQuery, status: 204, answer: nothingSchema },
  'POST /contact/{id}/forget': { body: contactForgetBody, status: 200, answer: contactForgottenSchema },
  'GET /suppression': { query: suppressionQuery, status: 200, answer: suppressionPageSchema },
  'GET /suppression/export': {
    produces: 'text/csv',
    query: suppressionExportQuery,
    status: 200,
    answer: exportAnswer,
    file: true,
  },
  'POST /suppression': { body: suppressionBody, status: 200, answer: suppressionMadeSchema },
  'POST /suppression/search': { body: suppressionSearchBody, status: 200, answer: suppressionFoundSchema },
  'POST /suppression/lift': { body: suppressionLiftBody, status: 200, answer: suppressionLiftedSchema },
  'POST /suppression/import': { body: suppressionImportBody, status: 200, answer: suppressionImportedSchema },
  'POST /campaign/{id}/contacts/preview': {
    tag: 'contact',
    consumes: 'multipart/form-data',
    query: contactPreviewQuery,
    body: fileBody,
    status: 200,
    answer: contactPreviewSchema,
  },
  'POST /campaign/{id}/contacts/import': {
    tag: 'contact',
    consumes: 'multipart/form-data',
    query: contactImportQuery,
    body: fileBody,
    status: 202,
    answer: uploadAnswer,
  },
  'POST /campaignuploadprofile/{id}/upload': {
    consumes: 'multipart/form-data',
    query: uploadQuery,
    body: fileBody,
    status: 202,
    answer: uploadAnswer,
  },
  'GET /campaignupload/{id}/rejects': { status: 200, answer: exportAnswer, file: true },
})
