import { api } from '#web/api/client.ts'

export interface ReleaseNote {
  readonly name?: string
  readonly major?: number
  readonly minor?: number
  readonly patch?: number
  readonly improvement?: string | null
  readonly bugfix?: string | null
}

export const releaseQuery = {
  queryKey: ['releasenote', 'latest'],
  queryFn: () => api.get<ReleaseNote>('/releasenote/latest').catch((): ReleaseNote => ({})),
  staleTime: 300_000,
}

/** What the toolbar shows before the first release note. */
const INITIAL_VERSION = '1.0.0'

export const versionOf = (note: ReleaseNote | undefined): string =>
  note?.major === undefined ? INITIAL_VERSION : `${note.major}.${note.minor ?? 0}.${note.patch ?? 0}`
