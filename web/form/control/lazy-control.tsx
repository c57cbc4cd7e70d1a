import { Box, Skeleton } from '@chakra-ui/react'
import { type ComponentType, type ReactNode, Suspense, useState } from 'react'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'

type Load<P> = () => Promise<ComponentType<P>>

/**
 * A control that is loaded when it is used. Until then a blank: the JSON of its value would be shown for a moment.
 * `plain` shows the value where the control cannot be loaded.
 */
export const lazyControl = <P extends object>(load: Load<P>, height: string, plain?: (props: P) => ReactNode) => {
  const module = lazyModule(load)
  return (props: P) => {
    const { value: Control, error } = useLazyModule(module)
    const blank = <Skeleton h={height} w="100%" borderRadius="lg" />
    if (Control !== undefined)
      return (
        // Its texts may come later still. Without this the whole form would be hidden, with the field that is typed in.
        <Suspense fallback={blank}>
          <Control {...props} />
        </Suspense>
      )
    if (error !== undefined && plain !== undefined) return plain(props)
    return blank
  }
}

/** A control that takes the place of a plain input once it is loaded, but not while that has the focus. */
export const plainFirst = <P extends object>(load: Load<P>, plain: (props: P) => ReactNode) => {
  const module = lazyModule(load)
  return (props: P) => {
    const { value: Control } = useLazyModule(module)
    const [isFocused, setFocused] = useState(false)
    if (Control !== undefined && !isFocused) return <Control {...props} />
    return (
      <Box w="100%" onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
        {plain(props)}
      </Box>
    )
  }
}
