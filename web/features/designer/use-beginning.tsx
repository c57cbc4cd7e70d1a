import { EyeOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { DESIGNER_QUERY } from '#web/entity/address.ts'
import { secondOf } from '#web/format/time.ts'
import { type StartFrom, startFrom } from './replay/start-from.ts'
import type { HeldValue } from './replay/walk.ts'
import { useDesigner } from './session/designer.ts'
import type { SimulationStart } from './simulation/use-simulation.ts'

type Begin = (more?: Partial<SimulationStart>) => void

/**
 * Starts the test once: if the address names a moment of a conversation, there and with its values. A previous run
 * continues instead.
 */
export const useBeginning = (bot: string | undefined, begin: Begin, isResumed: boolean): StartFrom | undefined => {
  const { address, canvas } = useDesigner()
  const [from, setFrom] = useState<StartFrom>()
  const isBegun = useRef(false)
  useEffect(() => {
    if (bot === undefined || isBegun.current) return
    isBegun.current = true
    const search = new URLSearchParams(location.search)
    const conversation = search.get(DESIGNER_QUERY.from)
    if (conversation === null) {
      if (!isResumed) begin()
      return
    }
    const { nodes } = canvas.flow.get()
    const checkedAs = ({ by }: HeldValue): string | undefined => {
      const data = by?.dialog === address.id ? nodes.get(by.block)?.properties.data : undefined
      return typeof data === 'object' && data !== null && 'validationType' in data
        ? String(data.validationType)
        : undefined
    }
    const place = { turn: Number(search.get(DESIGNER_QUERY.turn)), step: Number(search.get(DESIGNER_QUERY.step)) }
    http.get('/conversation/{id}/replay', { params: { id: conversation } }).then(
      replay => {
        const start = startFrom(replay, place, checkedAs)
        setFrom(start)
        if (start === undefined) return begin()
        const { block, release, values } = start
        begin({ ...values, ...(block === undefined ? {} : { block }), release, paused: true })
      },
      () => begin(),
    )
  }, [bot, begin, isResumed, address.id, canvas])
  return from
}

/** States that a test continues a conversation, and which of its values are examples. */
export const BeginningNote = ({ from }: { readonly from: StartFrom | undefined }) => {
  const { t } = useTranslation('simulation')
  if (from === undefined) return null
  return (
    <p className="ps-from" role="status">
      {t('begun', { time: secondOf(new Date(from.time).toISOString()), release: from.release })}
      {from.examples.length === 0 ? null : (
        <span>
          <EyeOff size={12} aria-hidden />
          {t('examples', { names: from.examples.join(', ') })}
        </span>
      )}
    </p>
  )
}
