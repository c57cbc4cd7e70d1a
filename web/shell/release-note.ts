import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type ReleaseNote = AnswerOf<'GET /releasenote/latest'>

export const releaseQuery = {
  queryKey: ['releasenote', 'latest'],
  queryFn: () => http.get('/releasenote/latest').catch((): ReleaseNote => ({})),
  staleTime: 300_000,
}

/** Version in the toolbar before the first release note. */
const INITIAL_VERSION = '1.0.0'

export const versionOf = (note: ReleaseNote | undefined): string =>
  note?.major === undefined ? INITIAL_VERSION : `${note.major}.${note.minor ?? 0}.${note.patch ?? 0}`
