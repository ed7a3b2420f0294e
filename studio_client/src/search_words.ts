// Words that people type for parts that are called otherwise, and names that are spelled almost so.

/** What stands for a word of everyday life: keys of classes, the most usual first. */
const EVERYDAY: Record<string, string> = {
  thermostat: "blocks.OnOffController blocks.Hysteresis",
  heater: "thermal.PrescribedHeatFlow electrical.HeatingResistor thermal.FixedHeatFlow",
  heating: "thermal.PrescribedHeatFlow electrical.HeatingResistor thermal.FixedHeatFlow",
  room: "thermal.HeatCapacitor",
  house: "thermal.HeatCapacitor thermal.Wall",
  insulation: "thermal.ThermalConductor thermal.Wall",
  window: "thermal.ThermalConductor",
  outside: "thermal.FixedTemperature thermal.PrescribedTemperature",
  weather: "thermal.PrescribedTemperature thermal.FixedTemperature",
  ambient: "thermal.FixedTemperature thermal.PrescribedTemperature",
  radiator: "thermal.Convection thermal.BodyRadiation",
  pendulum: "multibody.Revolute multibody.BodyCylinder planar.Revolute planar.Body",
  link: "multibody.BodyCylinder planar.BodyShape",
  bar: "multibody.BodyCylinder multibody.BodyBox planar.BodyShape",
  beam: "multibody.BodyBox multibody.BodyCylinder planar.BodyShape",
  hinge: "multibody.Revolute planar.Revolute",
  pivot: "multibody.Revolute planar.Revolute",
  rail: "multibody.Prismatic planar.Prismatic",
  ball: "multibody.Spherical multibody.BodySphere",
  flywheel: "rotational.Inertia",
  weight: "translational.Mass multibody.Body",
  supply: "electrical.ConstantVoltage",
  power: "electrical.ConstantVoltage",
  coil: "electrical.Inductor",
  lamp: "electrical.Resistor",
  motor: "machines.DC_PermanentMagnet electrical.EMF",
  controller: "blocks.LimPID blocks.PI blocks.OnOffController",
  tank: "fluid.OpenTank",
};

/** Whether a class is what an everyday word stands for: the place in the list, or -1. */
export function everyday(word: string, key: string): number {
  return EVERYDAY[word]?.split(" ").indexOf(key) ?? -1;
}

function pairs(text: string): Set<string> {
  const plain = text.toLowerCase();
  return new Set([...plain].slice(1).map((letter, k) => plain[k]! + letter));
}

/** How alike two names are, from 0 to 1, by the pairs of letters that they share. */
export function likeness(one: string, other: string): number {
  const [first, second] = [pairs(one), pairs(other)];
  const common = [...first].filter((pair) => second.has(pair)).length;
  return first.size + second.size ? (2 * common) / (first.size + second.size) : 0;
}
