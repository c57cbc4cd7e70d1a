import { type Feed, readFeed } from './read-feed.ts'

export interface FeedInput {
  readonly xml: string
  readonly most: number
  readonly address: string
}

export const run = ({ xml, most, address }: FeedInput): Feed | undefined => readFeed(xml, most, address)
