import { api } from '#web/api/client.ts'

export interface ReleaseNote {
  readonly id?: string
  readonly name?: string
  readonly major?: number
  readonly minor?: number
  readonly patch?: number
  readonly improvement?: string | null
  readonly bugfix?: string | null
  readonly created_at?: string
}

export const releaseQuery = {
  queryKey: ['releasenote', 'latest'],
  queryFn: () => api.get<ReleaseNote>('/releasenote/latest').catch((): ReleaseNote => ({})),
  staleTime: 300_000,
}

export const versionOf = (note: ReleaseNote | undefined, fallback: string): string =>
  note?.major === undefined ? fallback || '1.0.0' : `${note.major}.${note.minor ?? 0}.${note.patch ?? 0}`
