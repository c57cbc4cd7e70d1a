import { ReactFlow } from '@xyflow/react'
import { createRoot } from 'react-dom/client'
import '@xyflow/react/dist/style.css'

interface Place {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly title: string
}

const SIZE = { width: 240, height: 72 }

/** Bare React Flow: the same nodes with its default type, where the designer opens. */
const show = async () => {
  const places: readonly Place[] = await (await fetch('./nodes.json')).json()
  const nodes = places.map(({ id, x, y, title }) => ({ id, position: { x, y }, data: { label: title }, ...SIZE }))
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  createRoot(root).render(
    <ReactFlow
      defaultNodes={nodes}
      defaultViewport={{ x: 0, y: 0, zoom: 0.74 }}
      minZoom={0.3}
      panOnScroll
      onlyRenderVisibleElements
    />,
  )
}

void show()
