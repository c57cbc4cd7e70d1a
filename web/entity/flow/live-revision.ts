interface Publishable {
  readonly published: boolean
  readonly publishedrevision: number | null
}

/** The revision of a flow that bots run; 0 when none is live. */
export const liveRevision = ({ published, publishedrevision }: Publishable): number =>
  published ? (publishedrevision ?? 0) : 0
