import type { ComponentType } from 'react'
import type { PanelName } from '#schemas/block.ts'
import { AdaptivePanel } from '../card/adaptive-panel.tsx'
import { CardPreview } from '../card/card-preview.tsx'
import { ProductPreview } from '../card/product-preview.tsx'
import { ReceiptPreview } from '../card/receipt-preview.tsx'
import { TryCondition } from '../condition/try-condition.tsx'
import { Openings } from '../holiday/openings.tsx'
import { TryAssign } from '../try/try-assign.tsx'
import { TryCall } from '../try/try-call.tsx'
import { TryFeed } from '../try/try-feed.tsx'
import { TryScript } from '../try/try-script.tsx'
import { TryTransform } from '../try/try-transform.tsx'
import { Choices } from './choices.tsx'
import { Runs } from './runs.tsx'
import './panel.css'
import '../try/try.css'

/** By the name that a declaration gives. */
export const panels: Readonly<Record<PanelName, ComponentType>> = {
  card: CardPreview,
  receipt: ReceiptPreview,
  adaptive: AdaptivePanel,
  product: ProductPreview,
  openings: Openings,
  runs: Runs,
  branches: TryCondition,
  choices: Choices,
  call: TryCall,
  transform: TryTransform,
  assign: TryAssign,
  script: TryScript,
  feed: TryFeed,
}
