import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { DASHBOARD_PERIODS } from '#schemas/api/dashboard.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type DashboardData = AnswerOf<'GET /dashboard'>
export type Period = (typeof DASHBOARD_PERIODS)[number]

export const DEFAULT_PERIOD: Period = '30'

/** Period from an address; the default for unknown values. */
export const periodOf = (asked: string | null): Period =>
  DASHBOARD_PERIODS.find(days => days === asked) ?? DEFAULT_PERIOD

const REFRESH_MS = 60_000

/** `level` is the caller's level: another one has other numbers. */
export const dashboardQuery = (days: Period, level: string) =>
  queryOptions({
    queryKey: ['dashboard', level, days],
    queryFn: () => http.get('/dashboard', { query: { days } }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
