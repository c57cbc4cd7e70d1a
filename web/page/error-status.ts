interface Failure {
  readonly statusCode?: unknown
  readonly status?: unknown
  readonly response?: { readonly status?: unknown } | null
}

const isStatus = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599

/** HTTP status of a failure: its `statusCode`, else its `status`, else that of its `response`, else 500. */
export const errorStatus = (error: unknown): number => {
  if (typeof error !== 'object' || error === null) return 500
  const { statusCode, status, response }: Failure = error
  return [statusCode, status, response?.status].find(isStatus) ?? 500
}
