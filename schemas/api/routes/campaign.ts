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
import { exportAnswer } from '../file.ts'
import { defineRoutes } from '../route.ts'

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
