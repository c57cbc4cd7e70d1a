import type { ComponentType } from 'react'
import type { PanelName } from '#schemas/block.ts'
import { AdaptivePanel } from '../adaptive-card/adaptive-panel.tsx'
import { TryAssign } from '../assign/try-assign.tsx'
import { CardPreview } from '../card/card-preview.tsx'
import { TryCondition } from '../condition/try-condition.tsx'
import { TryScript } from '../handler/try-script.tsx'
import { ProductPreview } from '../product-card/product-preview.tsx'
import { Choices } from '../prompt/choices.tsx'
import { ReceiptPreview } from '../receipt-card/receipt-preview.tsx'
import { TryCall } from '../rest-service/try-call.tsx'
import { TryFeed } from '../rss-feed/try-feed.tsx'
import { NextRuns } from '../schedule/next-runs.tsx'
import { TryTransform } from '../transform-data/try-transform.tsx'
import { NextOpenings } from '../working-hour/next-openings.tsx'
import './panel.css'
import '../try-out/try.css'

/** By the name that a declaration gives. */
export const panels: Readonly<Record<PanelName, ComponentType>> = {
  card: CardPreview,
  receipt: ReceiptPreview,
  adaptive: AdaptivePanel,
  product: ProductPreview,
  openings: NextOpenings,
  runs: NextRuns,
  branches: TryCondition,
  choices: Choices,
  call: TryCall,
  transform: TryTransform,
  assign: TryAssign,
  script: TryScript,
  feed: TryFeed,
}
