export { type Overview, overviewQuery } from './overview/overview-query.ts'
