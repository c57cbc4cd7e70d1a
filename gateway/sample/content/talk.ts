import { type IdOf, type SampleStep, sampleStep, type When } from '../plan.ts'

interface Said {
  readonly when: When
  readonly by: string
  readonly text: string
}

interface Talk {
  /** Key of the dialog, and the block that it is about. */
  readonly dialog: string
  readonly block: string
  /** The first comment and the answers to it. */
  readonly said: readonly [Said, ...Said[]]
  readonly settled?: { readonly when: When; readonly by: string }
}

/** Comment thread on a block. */
export const talkDeeds = (id: IdOf, { dialog, block, said, settled }: Talk): readonly SampleStep[] => {
  const key = (place: number) => `${dialog}/${block}/${place}`
  const first = id('dialogcomment', key(0))
  const comments = said.map(({ when, by, text }, place) =>
    sampleStep(when, by, 'dialogcomment', 'create', key(place), {
      dialog: id('dialog', dialog),
      ...(place === 0 ? { block } : { dialogcomment: first }),
      text,
    }),
  )
  if (settled === undefined) return comments
  return [...comments, sampleStep(settled.when, settled.by, 'dialogcomment', 'resolve', key(0))]
}
