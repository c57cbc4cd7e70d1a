import { Button, chakra } from '@chakra-ui/react'
import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { cursorToPoint } from '../../canvas/cursor-mapping.ts'
import { ZOOM } from '../../canvas/zoom.ts'
import { useStoreValue } from '../../model/store.ts'
import { useDesigner } from '../designer.ts'
import { colorOf } from './avatars.tsx'

/** A pointer inside this part of the view needs no camera. */
const CALM = 0.3

/** The followed person, whose pointer is kept in view; Escape ends it. */
const useFollowedPeer = () => {
  const { following, room, canvas } = useDesigner()
  const client = useStoreValue(following)
  const people = useStoreValue(room.peers.people)
  const peer = people.find(other => other.client === client)
  const store = useStoreApi()
  const { setCenter, getZoom } = useReactFlow()
  useEffect(() => {
    if (client === undefined) return
    if (peer === undefined) {
      following.set(undefined)
      return
    }
    const stop = room.peers.onCursor((who, cursor) => {
      if (who.client !== client || cursor === undefined) return
      const at = cursorToPoint(canvas, cursor)
      const { transform, width, height } = store.getState()
      const [x, y, zoom] = transform
      const left = (at.x * zoom + x) / width
      const top = (at.y * zoom + y) / height
      const inside = left > CALM && left < 1 - CALM && top > CALM && top < 1 - CALM
      if (!inside) void setCenter(at.x, at.y, { zoom: getZoom(), duration: ZOOM.duration })
    })
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') following.set(undefined)
    }
    document.addEventListener('keydown', onKey)
    return () => {
      stop()
      document.removeEventListener('keydown', onKey)
    }
  }, [client, peer, following, room, canvas, store, setCenter, getZoom])
  return peer
}

/** A frame of the followed person's colour around the view. */
export const Following = () => {
  const { t } = useTranslation('designer')
  const { following } = useDesigner()
  const peer = useFollowedPeer()
  if (peer === undefined) return null
  return (
    <chakra.div
      position="absolute"
      inset="0"
      zIndex="cursor"
      pointerEvents="none"
      style={{ border: `3px solid ${colorOf(peer.color)}` }}
    >
      <Button
        position="absolute"
        top="3"
        left="50%"
        translate="-50% 0"
        size="xs"
        pointerEvents="auto"
        borderWidth="0"
        color={{ base: 'white', _dark: '#121211' }}
        style={{ background: colorOf(peer.color) }}
        onClick={() => following.set(undefined)}
      >
        {t('people.following', { name: peer.name.split(' ')[0] ?? peer.name })}
      </Button>
    </chakra.div>
  )
}
