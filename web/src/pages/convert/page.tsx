/** Convert and Compress: the same page with two aims. */
import { Conversion } from './conversion.tsx'

export const ConvertPage = () => <Conversion key="convert" aim="convert" />
export const CompressPage = () => <Conversion key="compress" aim="compress" />
